import { Pay } from './pay';

export default function Page() {
  return <Pay />;
}
