import { getContext, setContext } from 'svelte';

/** What all pages know. One for each visitor, also on a server: so it is not a variable of this module. */
class Shop {
  walletId = $state('');
  log: string[] = $state([]);
  /** Until the page is hydrated, nothing hears the elements, so they wait: `defer-hydration`. */
  deferred: '' | undefined = $state('');
}

export const openShop = (): Shop => setContext('shop', new Shop());
export const theShop = (): Shop => getContext('shop');
