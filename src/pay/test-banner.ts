/** The banner at the top of a test checkout: no real money, and a list of test cards. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PayPage } from '../api/pay.ts';
import { testCard } from '../api/test-cards.ts';
import { icon, iconCaution, iconChevronDown } from '../ui/icons.ts';
import { msg, str } from '../base/localize.ts';
import { numberText } from './fields.ts';

/** For testers: the failure reason under the name that the shop receives. */
function outcome(number: string): string {
  const card = testCard(number);
  const end = card?.decline ? msg(str`declined: ${card.decline}`) : msg('paid');
  return card?.challenge ? msg(str`the bank asks, then ${end}`) : end;
}

/** `use` fills in a card; absent if there is no form. */
export function testBanner(
  { cards, livemode }: Pick<PayPage, 'cards' | 'livemode'>,
  use?: (number: string) => void,
): TemplateResult | typeof nothing {
  if (livemode) return nothing;
  return html`<section class="alert caution test" aria-label=${msg('Test checkout')}>
    ${icon(iconCaution())}
    <div class="grow">
      <b>${msg('Test checkout')}</b>
      <p>${
        cards.length
          ? msg('No money moves here. Pay with a test card, and never enter a real one.')
          : msg('No money moves here.')
      }</p>
      ${
        use && cards.length
          ? html`<details>
            <summary>${msg('Test cards')}${icon(iconChevronDown(), 's')}</summary>
            <ul tabindex="0" aria-label=${msg('Test cards')}>
              ${cards.map(({ number }) => {
                const text = numberText(number);
                return html`<li>
                  <button
                    type="button"
                    class="btn"
                    aria-label=${msg(str`Use card ${text}`)}
                    @click=${() => use(number)}
                    >${text}</button
                  >
                  <span>${outcome(number)}</span>
                </li>`;
              })}
            </ul>
          </details>`
          : nothing
      }
    </div>
  </section>`;
}
