/** What all pages know. */
export const useShop = () => {
  const hydrated = useState('hydrated', () => false);
  return {
    walletId: useState('walletId', () => ''),
    log: useState<string[]>('log', () => []),
    hydrated,
    /** Until the page is hydrated, nothing hears the elements, so they wait: `defer-hydration`. */
    deferred: computed(() => (hydrated.value ? undefined : '')),
  };
};
