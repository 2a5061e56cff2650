/** Lets pages of the allowed origins call the API. */
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Answers to preflight requests from the allowed origins. */
export const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, DPoP, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '600',
};

export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: [
      'Arrivals-Read-At',
      'Carabiner-Partial',
      'Link',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
    ],
    // Preflights are answered with every other OPTIONS request.
    preflight: false,
  });
}
