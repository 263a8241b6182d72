/** Continuous integration judges a change, so it asks the same each time; a search for faults asks something new. */
export const SEED_OF_INTEGRATION = 785_788_458

/** Whether this run judges a change. */
export function isIntegration(environment: NodeJS.ProcessEnv): boolean {
  return environment['CI'] === 'true'
}
