export { readProfileOf, withService, type WithServiceOptions } from './with-service.ts';
