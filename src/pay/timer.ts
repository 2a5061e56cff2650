import { html, type TemplateResult } from 'lit';
import { clock } from '../ui/countdown.ts';

export const timer = (seconds: number): TemplateResult =>
  html`<span class="num" role="timer">${clock(seconds)}</span>`;
