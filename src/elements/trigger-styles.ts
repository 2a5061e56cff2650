/**
 * What a trigger needs before anything else is loaded; every byte of it is in `connect.js`. The roles repeat `ui/tokens.ts`, which is
 * loaded with the first view and gives them the same values.
 */
import { css } from 'lit';

export const triggerStyles = css`:host{display:block;--_accent:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7));--_on-accent:var(--cb-color-on-accent,light-dark(#fff,#0b1730));--_text:var(--cb-color-text,light-dark(#14181f,#eef1f5));font:400 var(--cb-font-size,15px)/1.45 var(--cb-font,system-ui,sans-serif);color:var(--_text)}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
:host([hidden]),[hidden]{display:none!important}
.line{display:flex;flex-wrap:wrap;align-items:center;gap:8px}
.btn{display:inline-flex;align-items:center;justify-content:center;gap:8px;min-block-size:44px;margin:0;padding:0 16px;border:1px solid var(--cb-color-border-strong,light-dark(#808999,#717b8c));border-radius:calc(var(--cb-radius,12px)*.75);background:none;color:inherit;font:inherit;font-weight:560;line-height:1.2;cursor:pointer}
.grow{flex:1 1 120px}
.lg{min-block-size:48px}
.primary{border-color:transparent;background:var(--_accent);color:var(--_on-accent)}
.primary:hover{background:color-mix(in oklab,var(--_accent) 88%,var(--_text))}
:focus-visible{outline:2px solid var(--cb-color-focus,var(--_accent));outline-offset:2px}
.i{inline-size:20px;block-size:20px;flex:none;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
@media (forced-colors:active){.btn.primary:not(:disabled,[aria-disabled=true]){forced-color-adjust:none;border-color:ButtonText;background:ButtonText;color:ButtonFace}}`;
