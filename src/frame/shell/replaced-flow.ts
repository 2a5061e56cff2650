/** The notice before a request that replaced another one. Resolves when the user wants to see the request. */
import type { HostRequest } from '../../channel/link.ts';
import { ConnectError } from '../../errors.ts';
import type { Frame } from '../frame.ts';
import { siteName } from './origin.ts';
import type { Verdict } from './replacements.ts';

export async function standBefore(
  { stage, link, clock }: Frame,
  task: HostRequest,
  verdict: Verdict,
): Promise<void> {
  const { ReplacedView, PausedView } = await import('./replaced-view.ts');
  const options = { signal: task.signal, requestId: task.id };
  const site = siteName(link.origin);
  if (verdict.kind === 'replaced') {
    const view = Object.assign(new ReplacedView(clock), { site, gone: verdict.title });
    await stage.open(view, options).next('cbf-show');
    return;
  }
  const seconds = Math.ceil((verdict.until - clock.date()) / 1000);
  const view = Object.assign(new PausedView(), { site, minutes: Math.ceil(seconds / 60) });
  if (!verdict.told) await stage.open(view, options).next('cbf-close');
  throw new ConnectError(
    'request.rate-limited',
    'This site replaced its request three times within a minute. It can ask again in 10 minutes.',
    { retryAfter: seconds },
  );
}
