// Apart from `amount.ts`, because forms draw amounts before anything is typed.

/** Every digit, no trailing zeros: `formatAmount(1500000n, 6)` is `1.5`. */
export function formatAmount(raw: bigint, decimals: number): string {
  const sign = raw < 0n ? '-' : '';
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return `${sign}${whole}${decimals > 0 && fraction ? `.${fraction}` : ''}`;
}
