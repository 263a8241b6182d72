import { openSource, withPassword } from '../../import/open-source.ts'
import type { SourceReader } from '../../import/source.ts'
import { secretFrom } from '../installation/environment.ts'
import type { CliHost } from './cli-host.ts'

/** A command line can be read by everyone on the machine. */
const SOURCE_PASSWORD = 'IMPORT_PASSWORD'

/** Opens the database that is named, with its password from the environment where it is there. */
export function sourceNamed(named: string, host: CliHost): Promise<SourceReader> {
  return openSource(withPassword(named, secretFrom(host.environment, SOURCE_PASSWORD)))
}
