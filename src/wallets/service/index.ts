export { withService, type WithServiceOptions } from './with-service.ts';
