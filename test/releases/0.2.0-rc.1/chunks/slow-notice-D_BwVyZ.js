import{O as e}from"../connect.js";import{d as t}from"./engine-BC00hNY.js";var n=`
[role=status] span{margin-block-start:-12px;font-size:.8667em}
.slow{position:absolute;inset:auto 0 0;display:flex;flex-wrap:wrap-reverse;gap:8px;padding:16px 16px max(12px,env(safe-area-inset-bottom))}
.slow button{position:static;box-sizing:border-box;flex:1 0 auto;max-inline-size:100%;inline-size:auto;block-size:auto;min-block-size:48px;margin:0;padding:8px 12px;border:1px solid transparent;border-radius:calc(var(--cb-radius,12px)*.75);background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b));color:var(--cb-color-text,light-dark(#14181f,#eef1f5));font:inherit;font-weight:600}
.slow button:hover{background:light-dark(#e9ebf0,#262c36)}
.slow .window,.slow .window:hover{border-color:var(--cb-color-border-strong,light-dark(#808999,#717b8c));background:var(--cb-color-surface,light-dark(#fff,#161a21))}
.slow .window:hover{background:var(--cb-color-surface-2,light-dark(#f4f5f8,#1d222b))}
.slow button:focus-visible{outline-offset:2px}
@media (forced-colors:active){.slow button{border-color:ButtonBorder}}
`;function r(r,a,o,s){r.adoptedStyleSheets.push(t(n));let c=document.createElement(`span`);c.textContent=e(`Taking longer than usual`),a.append(c);let l=document.createElement(`div`);l.className=`slow`,l.append(i(``,e(`Close`),s),i(`window`,e(`Open in a window`),o)),a.after(l)}function i(e,t,n){return Object.assign(document.createElement(`button`),{type:`button`,className:e,textContent:t,onclick:n})}export{r as showSlowNotice};