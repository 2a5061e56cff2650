import * as z from 'zod/mini';
import { SECRET_TYPES } from '../chains/secret-type.ts';

export const SecretTypeSchema = z.enum(SECRET_TYPES);
