/**
 * Sends the values of a failed assertion as text. The runner would serialise them, which fails for a bigint, a function or a DOM node: the
 * file would then hang until its limit of five minutes.
 */
const SOURCE = `
const send = sendMessage;
const plain = (error) => {
  for (const key of ['actual', 'expected'])
    if (error?.[key] !== undefined) error[key] = String(error[key]);
};
const failures = ({ suites, tests }) => [...tests.map(({ error }) => error), ...suites.flatMap(failures)];
sendMessage = (message) => {
  const { testResults, errors } = message.result ?? {};
  [...(testResults ? failures(testResults) : []), ...(errors ?? [])].forEach(plain);
  return send(message);
};
`;

export const plainFailures = () => ({
  name: 'plain-failures',
  transform: ({ path, body }) =>
    path === '/__web-dev-server__web-socket.js' ? `${body}${SOURCE}` : undefined,
});
