import { Link } from 'react-router';

export function Header() {
  return (
    <>
      <h1>Shop</h1>
      <nav>
        <Link to="/">Pay</Link> <Link to="/about">About</Link>
      </nav>
    </>
  );
}
