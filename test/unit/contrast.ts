import axe from 'axe-core';

/**
 * That axe finds enough contrast in all of `root`. Between light and dark nothing else differs, so it is all that is left to check of
 * what it has checked in the other. A control may turn on meanwhile, and half a change of colours has a contrast of its own: what is found
 * has to be found again.
 */
export async function expectContrast(root: Element): Promise<void> {
  const find = async (): Promise<string[]> => {
    const { violations } = await axe.run(root, {
      runOnly: ['color-contrast'],
      resultTypes: ['violations'],
      preload: false,
    });
    return violations.flatMap(({ nodes }) =>
      nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
    );
  };
  const found = (await find()).length ? await find() : [];
  if (found.length) throw new Error(found.join('\n'));
}
