import { SHEET } from '../channel/dialog-style.ts';

/** Follows `dialogStyle`: the same place and width as the wallet's dialog, as high as its contents. */
export const chooserStyle = `
dialog{block-size:fit-content;padding:0 16px 16px;gap:12px}
h2{display:flex;align-items:center;min-block-size:52px;margin:0 44px -8px 0;font-size:1.1333em;font-weight:620;line-height:1.25;letter-spacing:-.01em}
h2:dir(rtl){margin:0 0 -8px 44px}
p{margin:0;text-align:center;font-size:.8em;color:var(--cb-color-text-3,light-dark(#616a7a,#98a1b0))}
svg{inline-size:20px;block-size:20px;flex:none;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.choice{position:relative;display:flex;align-items:center;gap:12px;box-sizing:border-box;min-block-size:60px;padding:8px 12px 8px 16px;border-radius:var(--cb-radius,12px)}
.choice button,.choice button:hover{inset:0;inline-size:100%;block-size:100%;margin:0;border-radius:inherit;background:none}
.choice button:focus-visible{outline-offset:2px}
.create{background:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7));color:var(--cb-color-on-accent,light-dark(#fff,#0b1730))}
.create:hover{background:color-mix(in oklab,var(--cb-color-accent,light-dark(#2351b0,#8fb3f7)) 90%,var(--cb-color-text,light-dark(#14181f,#eef1f5)))}
.import{min-block-size:66px;padding-inline-start:12px;border:1px solid var(--cb-color-border-strong,light-dark(#808999,#717b8c));background:var(--cb-color-surface,light-dark(#fff,#161a21));color:var(--cb-color-text,light-dark(#14181f,#eef1f5));box-shadow:0 1px 2px rgb(0 0 0/.06)}
.import:hover{background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b))}
.mark{display:grid;place-items:center;flex:none}
.import .mark{inline-size:40px;block-size:40px;border-radius:calc(var(--cb-radius,12px)*.75);background:color-mix(in oklab,var(--cb-color-accent,light-dark(#2351b0,#8fb3f7)) 10%,transparent);color:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7))}
.create .mark svg{inline-size:24px;block-size:24px}
.text{display:grid;flex:1;min-inline-size:0;line-height:1.35}
.label{font-weight:600}
.note{font-size:.8667em}
.import .note{color:var(--cb-color-text-2,light-dark(#4a5261,#b4bcc9))}
.chevron{inline-size:18px;block-size:18px}
.chevron:dir(rtl){transform:scaleX(-1)}
@media ${SHEET}{dialog{padding-block-end:max(16px,env(safe-area-inset-bottom))}dialog::before{content:"";position:absolute;inset:5px 0 auto;inline-size:36px;block-size:4px;margin:auto;border-radius:2px;background:var(--cb-color-border-strong,light-dark(#808999,#717b8c));opacity:.7}h2{margin-block-start:8px}}
@media (forced-colors:active){.choice{border:1px solid ButtonBorder}.create{forced-color-adjust:none;background:ButtonText;color:ButtonFace}dialog::before{background:CanvasText}}
`;
