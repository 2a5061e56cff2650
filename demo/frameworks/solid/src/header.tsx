export const Header = () => <h1>Shop</h1>;
