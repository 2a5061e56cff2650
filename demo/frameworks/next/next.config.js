/** @type {import('next').NextConfig} */
export default {
  allowedDevOrigins: ['127.0.0.1'],
  devIndicators: false,
  // A page that is left is hidden, not removed.
  cacheComponents: true,
  partialPrefetching: true,
};
