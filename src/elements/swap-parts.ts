/** What the form and its offers both draw. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon, iconCaution, iconDanger, iconInfo } from '../ui/icons.ts';
import type { Field, SwapFields } from './swap-fields.ts';

export function alert(
  look: '' | 'caution' | 'danger',
  title: string,
  text: unknown,
  action: unknown = nothing,
): TemplateResult {
  const mark = look === 'danger' ? iconDanger() : look ? iconCaution() : iconInfo();
  return html`<div class="alert ${look}" role=${look === 'danger' ? 'alert' : nothing}>${icon(mark)}<div class="grow"><b>${title}</b><p>${text}</p>${action}</div></div>`;
}

/** The error of a field, whose `aria-describedby` refers to it. */
export function note(
  { errors }: SwapFields,
  field: Field,
  error: string | undefined = errors.get(field),
): TemplateResult {
  return html`<div id="${field}-note">${error ? html`<p class="err">${icon(iconDanger(), 's')}<span>${error}</span></p>` : nothing}</div>`;
}
