/** @type {import('next').NextConfig} */
export default { allowedDevOrigins: ['127.0.0.1'], devIndicators: false, cacheComponents: true };
