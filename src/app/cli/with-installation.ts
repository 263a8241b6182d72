import { readEnvironment } from '../installation/environment.ts'
import { openDatabase, openInstallation, requireInstallation } from '../opening/open-installation.ts'
import type { OpenInstallation, OpenInstallationOptions } from '../opening/open-installation.ts'
import type { Store } from '../../store/store.ts'
import type { CliHost } from './cli-host.ts'
import { opening } from './opening.ts'

/** Opens what the environment names, does the work, and closes it whatever happened. */
export async function withInstallation(
  host: CliHost,
  work: (installation: OpenInstallation) => Promise<number>,
): Promise<number> {
  const installation = await opened(host, (options) => openInstallation(readEnvironment(host.environment), options))
  try {
    return await work(installation)
  } finally {
    await installation.store.close()
  }
}

/** Opens the database alone, where something has to be there already and no secret is needed. */
export async function withStore(host: CliHost, work: (store: Store) => Promise<number>): Promise<number> {
  const settings = readEnvironment(host.environment)
  requireInstallation(settings)
  const store = await opened(host, (options) => openDatabase(settings, options))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function opened<Opened>(
  host: CliHost,
  open: (options: OpenInstallationOptions) => Promise<Opened>,
): Promise<Opened> {
  using options = opening(host)
  return await open(options)
}
