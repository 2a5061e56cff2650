/** How the checkout page looks (docs/checkout.md#your-look). The icon itself comes as multipart/form-data, part `icon`. */
import * as z from 'zod/mini';
import { line } from './text.ts';

const Color = z
  .string()
  .check(
    z.regex(
      /^#(?:[0-9a-fA-F]{3}){1,2}$/,
      'must be a color such as #1f4d3a or #fff: # and six or three hex digits, without transparency',
    ),
  );

export const BrandingRequest = z.strictObject({
  settings: z.strictObject({
    branding: z.strictObject({
      /** Left side of the checkout page. */
      primary_color: Color,
      /** The button that pays. */
      secondary_color: Color,
      /** Id of an uploaded icon. */
      icon: line(128),
    }),
  }),
});
export type BrandingRequest = z.infer<typeof BrandingRequest>;

/** The branding as the shop sent it. */
export const Branding = z.object({
  settings: z.object({
    branding: z.object({ primary_color: z.string(), secondary_color: z.string(), icon: z.string() }),
  }),
});
export type Branding = z.infer<typeof Branding>;

export const IconFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  /** Epoch seconds. */
  created: z.int(),
  expires_at: z.nullable(z.int()),
  filename: z.string(),
  links: z.object({
    object: z.literal('list'),
    data: z.array(z.unknown()),
    has_more: z.boolean(),
    url: z.string(),
  }),
  purpose: z.literal('business_icon'),
  /** Bytes. */
  size: z.int(),
  title: z.nullable(z.string()),
  /** `png`. */
  type: z.string(),
  url: z.string(),
});
export type IconFile = z.infer<typeof IconFile>;
