/** Icons of lists, menus and settings, which neither a page at rest nor an approval draws. */
import { svg, type SVGTemplateResult } from 'lit';

export const iconArchive = (): SVGTemplateResult =>
  svg`<rect x="3.5" y="5" width="17" height="4.5" rx="1.5"/><path d="M5.5 9.5V17A2.5 2.5 0 0 0 8 19.5h8a2.5 2.5 0 0 0 2.5-2.5V9.5M10 13h4"/>`;
export const iconArrowDown = (): SVGTemplateResult => svg`<path d="M12 5v13.5m-5.5-5.5 5.5 5.5 5.5-5.5"/>`;
export const iconArrowUp = (): SVGTemplateResult => svg`<path d="M12 19V5.5m-5.5 5.5L12 5.5l5.5 5.5"/>`;
export const iconCard = (): SVGTemplateResult =>
  svg`<rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="M3.5 10h17M7 15h3"/>`;
export const iconChevronEnd = (): SVGTemplateResult => svg`<path d="m9.5 6.5 5.5 5.5-5.5 5.5"/>`;
export const iconClock = (): SVGTemplateResult =>
  svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`;
export const iconEdit = (): SVGTemplateResult =>
  svg`<path d="M4.5 19.5 5.5 15 15.6 4.9a1.9 1.9 0 0 1 2.7 0l.8.8a1.9 1.9 0 0 1 0 2.7L9 18.5z"/>`;
export const iconExport = (): SVGTemplateResult =>
  svg`<path d="M12 15V4.5m-4.5 4L12 4l4.5 4.5M5 16.5V18a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-1.5"/>`;
export const iconExternal = (): SVGTemplateResult =>
  svg`<path d="M10 5.5H7A1.5 1.5 0 0 0 5.5 7v10A1.5 1.5 0 0 0 7 18.5h10a1.5 1.5 0 0 0 1.5-1.5v-3M14 4.5h5.5V10m0-5.5L11.5 12.5"/>`;
export const iconEye = (): SVGTemplateResult =>
  svg`<path d="M3 12c2-4 5.2-6 9-6s7 2 9 6c-2 4-5.2 6-9 6s-7-2-9-6z"/><circle cx="12" cy="12" r="2.6"/>`;
export const iconEyeOff = (): SVGTemplateResult =>
  svg`<path d="M4.5 4.5l15 15M9.5 6.4A9 9 0 0 1 12 6c3.8 0 7 2 9 6a12 12 0 0 1-2.5 3.3M6 8.3A12 12 0 0 0 3 12c2 4 5.2 6 9 6 1.3 0 2.5-.2 3.6-.7"/>`;
export const iconGlobe = (): SVGTemplateResult =>
  svg`<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c2.5 2.4 3.7 5.2 3.7 8.5s-1.2 6.1-3.7 8.5c-2.5-2.4-3.7-5.2-3.7-8.5s1.2-6.1 3.7-8.5z"/>`;
export const iconImage = (): SVGTemplateResult =>
  svg`<rect x="4" y="5" width="16" height="14" rx="2.5"/><circle cx="9" cy="10" r="1.5"/><path d="m5 17 4.5-4 3 2.5L16 11.5l4 4"/>`;
export const iconImport = (): SVGTemplateResult =>
  svg`<path d="M12 4v10.5m-4.5-4 4.5 4.5 4.5-4.5M5 16.5V18a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-1.5"/>`;
export const iconKey = (): SVGTemplateResult =>
  svg`<circle cx="8.5" cy="15.5" r="4"/><path d="m11.5 12.5 8-8m-3.5 3.5 2.5 2.5"/>`;
export const iconLarger = (): SVGTemplateResult =>
  svg`<path d="M13.5 4.5h6v6M19.5 4.5 13 11M10.5 19.5h-6v-6M4.5 19.5 11 13"/>`;
export const iconLayers = (): SVGTemplateResult =>
  svg`<path d="m12 4 8.5 4.5L12 13 3.5 8.5z"/><path d="m3.5 12.5 8.5 4.5 8.5-4.5"/>`;
export const iconLink = (): SVGTemplateResult =>
  svg`<path d="M10.2 13.8a3.6 3.6 0 0 0 5.1 0l3.2-3.2a3.6 3.6 0 0 0-5.1-5.1l-.9.9M13.8 10.2a3.6 3.6 0 0 0-5.1 0l-3.2 3.2a3.6 3.6 0 0 0 5.1 5.1l.9-.9"/>`;
export const iconMore = (): SVGTemplateResult =>
  svg`<path stroke-width="2.6" d="M5.5 12h.01M12 12h.01M18.5 12h.01"/>`;
export const iconOffline = (): SVGTemplateResult =>
  svg`<path d="M4.5 4.5l15 15M6.5 15a4 4 0 0 1 .3-6.7m3.2-2A6 6 0 0 1 17.5 10a3.8 3.8 0 0 1 2.3 5.7M6.5 17.5h9.5"/>`;
export const iconPaste = (): SVGTemplateResult =>
  svg`<rect x="5.5" y="5.5" width="13" height="15" rx="2.5"/><path d="M9.5 5.5v-.7a1.3 1.3 0 0 1 1.3-1.3h2.4a1.3 1.3 0 0 1 1.3 1.3v.7zm0 5.5h5m-5 3.5h5"/>`;
export const iconPerson = (): SVGTemplateResult =>
  svg`<circle cx="12" cy="8.5" r="3.5"/><path d="M5 19.5c.6-3.600 3.200-5.5 7-5.5s6.400 1.900 7 5.5"/>`;
export const iconReplace = (): SVGTemplateResult => svg`<path d="M4.5 9.5h12L13 6m6.5 8.5h-12l3.5 3.5"/>`;
export const iconScan = (): SVGTemplateResult =>
  svg`<path d="M4 8.5v-2A2.5 2.5 0 0 1 6.5 4h2m7 0h2A2.5 2.5 0 0 1 20 6.5v2m0 7v2a2.5 2.5 0 0 1-2.5 2.5h-2m-7 0h-2A2.5 2.5 0 0 1 4 17.5v-2m4.5-7h3v3h-3zm6 0h1m-1 3h1m-7 3h1m2.5 0h3.5v1"/>`;
export const iconSend = (): SVGTemplateResult =>
  svg`<path d="M20 4 3.5 10.5l6.5 3 3 6.5z"/><path d="m10 13.5 4-4"/>`;
export const iconStar = (): SVGTemplateResult =>
  svg`<path d="m12 4.2 2.4 5 5.4.7-4 3.8 1 5.4-4.8-2.6-4.8 2.6 1-5.4-4-3.8 5.4-.7z"/>`;
export const iconStarFilled = (): SVGTemplateResult =>
  svg`<path fill="currentColor" d="m12 4.2 2.4 5 5.4.7-4 3.8 1 5.4-4.8-2.6-4.8 2.6 1-5.4-4-3.8 5.4-.7z"/>`;
export const iconUnlink = (): SVGTemplateResult =>
  svg`<path d="M9.5 7.5H8a4.5 4.5 0 0 0 0 9h1.5m5-9H16a4.5 4.5 0 0 1 0 9h-1.5M9.5 3.5l.8 1.8m4.2-1.8-.8 1.8m-4.2 15.2.8-1.8m4.2 1.8-.8-1.8"/>`;
export const iconWindow = (): SVGTemplateResult =>
  svg`<rect x="3.5" y="5" width="17" height="14" rx="2.5"/><path d="M3.5 9.5h17M6.8 7.3h.1m2.4 0h.1"/>`;
