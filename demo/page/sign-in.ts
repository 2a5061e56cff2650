/** The demo's signed-in user, and the access token of the wallet service that the wallet asks the page for. */
import type { GetAccessToken } from '../../src/actions/types.ts';
import type { SignedIn } from '../sign-in/sessions.ts';
import { h } from './dom.ts';
import { post } from './settings.ts';

export async function signedIn(): Promise<SignedIn | null> {
  return ((await (await fetch('/session.json')).json()) as { person: SignedIn | null }).person;
}

/** Held by the page's own server. */
export const getAccessToken: GetAccessToken = async ({ expired }) =>
  String((await post('/session/token', { expired }))['accessToken']);

async function signOut(): Promise<void> {
  await post('/sign-out', {});
  location.reload();
}

/** For the bar: leads to the identity provider, and back to the current scenario. */
export function signInControl(person: SignedIn | null): HTMLElement {
  if (!person) {
    const link = h('a', { class: 'btn secondary', href: '/sign-in' }, 'Sign in');
    link.addEventListener('click', () => {
      link.href = `/sign-in?at=${encodeURIComponent(location.hash)}`;
    });
    return link;
  }
  return h(
    'div',
    { class: 'line demo-person' },
    h('span', { class: 'hint', title: person.email }, person.email),
    h('button', { type: 'button', class: 'btn secondary', click: () => void signOut() }, 'Sign out'),
  );
}
