import { readEnvironment } from '../installation/environment.ts'
import { openDatabase, openInstallation, requireInstallation } from '../installation/open-installation.ts'
import type { OpenInstallation } from '../installation/open-installation.ts'
import type { Store } from '../../store/store.ts'
import type { CliHost } from './cli-host.ts'

/** Opens what the environment names, does the work, and closes it whatever happened. */
export async function withInstallation(
  host: CliHost,
  work: (installation: OpenInstallation) => Promise<number>,
): Promise<number> {
  const installation = await openInstallation(readEnvironment(host.environment), host)
  try {
    return await work(installation)
  } finally {
    await installation.store.close()
  }
}

/** The same where something has to be there already, and no secret is needed. */
export async function withStore(host: CliHost, work: (store: Store) => Promise<number>): Promise<number> {
  const settings = readEnvironment(host.environment)
  requireInstallation(settings)
  const store = await openDatabase(settings, host)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
