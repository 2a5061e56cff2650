export { language, msg, plural, spoken, str } from '../localize.ts';
