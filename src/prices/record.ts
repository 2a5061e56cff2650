import * as z from 'zod/mini';

/** An object with any keys. Not zod's own, which every frame would download, because all of zod is in one file that loads first. */
export function record<T>(schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.unknown(),
    z.transform((value, { issues }): Record<string, T> => {
      const wrong = (message: string, path: string[] = []): void =>
        void issues.push({ code: 'custom', message, path, input: value });
      const list: Record<string, T> = {};
      if (typeof value !== 'object' || value === null) wrong('must be an object');
      else
        for (const [key, one] of Object.entries(value)) {
          const { data, error } = schema.safeParse(one);
          if (error) wrong(error.issues[0]!.message, [key, ...error.issues[0]!.path.map(String)]);
          else list[key] = data;
        }
      return list;
    }),
  );
}
