import type { ConfigurationView } from '../../contract/configuration.ts'
import { ALERT_VARIABLES } from './alert-variables.ts'
import { BACKUP_VARIABLES } from './backup-variables.ts'
import type { Environment } from './environment.ts'
import { RETENTION_VARIABLES } from './retention-variables.ts'
import { fileVariableOf } from './secret-files.ts'
import { SERVER_VARIABLES } from './server-variables.ts'
import { SIGN_IN_VARIABLES } from './sign-in-variables.ts'
import { TELEMETRY_VARIABLES } from './telemetry-variables.ts'
import type { Variable } from './variable.ts'

type GivenVariable = ConfigurationView['variables'][number]

const PARTS: Readonly<Record<GivenVariable['part'], Readonly<Record<string, Variable>>>> = {
  server: SERVER_VARIABLES,
  alerts: ALERT_VARIABLES,
  backups: BACKUP_VARIABLES,
  retention: RETENTION_VARIABLES,
  sign_in: SIGN_IN_VARIABLES,
  telemetry: TELEMETRY_VARIABLES,
}

/** Every environment variable with what it says here; of a secret, only that it is set. */
export function givenVariables(environment: Environment): GivenVariable[] {
  return Object.entries(PARTS).flatMap(([part, table]) =>
    Object.values(table).map(({ name, meaning, ifUnset, takes, isSecret }) => {
      const given = environment[name]?.trim() ?? ''
      const file = isSecret ? (environment[fileVariableOf(name)]?.trim() ?? '') : ''
      return {
        name,
        part: part as GivenVariable['part'],
        meaning,
        standard: ifUnset,
        takes,
        source: given !== '' ? ('environment' as const) : file === '' ? ('default' as const) : ('secret_file' as const),
        is_secret: isSecret,
        value: isSecret || given === '' ? null : given,
      }
    }),
  )
}
