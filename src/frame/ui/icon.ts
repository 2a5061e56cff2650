export { icon } from '../../ui/icon.ts';
