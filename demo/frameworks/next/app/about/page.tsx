export default function Page() {
  return <p>We sell things.</p>;
}
