export default function About() {
  return <p>We sell things.</p>;
}
