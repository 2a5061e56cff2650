import { Pay } from './pay';

export const dynamic = 'force-dynamic';

export default function Page() {
  return <Pay />;
}
