import { css } from 'lit';

/** Styles of the dialog. Needs `formStyles`. */
export const transferFormStyles = css`
  .dialog { inline-size: min(100% - 16px, 440px); max-inline-size: none; max-block-size: calc(100dvb - 16px); padding: 0; overflow: auto; overscroll-behavior: contain; border: 1px solid var(--_border); border-radius: var(--_r-lg); background: var(--_surface); box-shadow: var(--_shadow-3); color: var(--_text); }
  .dialog[open] { animation: rise var(--_t-slow) var(--_ease); }
  .away { visibility: hidden; }
  .dialog::backdrop { background: var(--_overlay); }
  @keyframes rise { from { opacity: 0; transform: translateY(8px); } }
  .head { display: flex; align-items: center; gap: var(--_s2); min-block-size: 56px; padding-block: var(--_s2) 0; padding-inline: min(var(--_s5), 4vi) var(--_s2); }
  .body { display: flex; flex-direction: column; gap: var(--_s4); padding: var(--_s2) min(var(--_s5), 4vi) var(--_s5); container-type: inline-size; }
  .body > .line { margin: 0; }
  .input:placeholder-shown { text-overflow: ellipsis; }
  .input.mono { font-family: var(--_mono); font-size: max(16px, .93em); font-variant-ligatures: none; }
  .help.good { color: var(--_success); }
  #from-wallet > * { display: block; }
  .balance { text-align: end; }
  .balance > .num { display: block; }
  @container (max-width: 300px) { .picker { gap: var(--_s2); } .balance { font-size: var(--_fs-xs); } [role="option"] > .chain { display: none; } }
`;
