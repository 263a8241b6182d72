import { readEnvironment } from '../installation/environment.ts'
import { openDatabase, openInstallation, requireInstallation } from '../installation/open-installation.ts'
import type { OpenInstallation } from '../installation/open-installation.ts'
import type { Store } from '../../store/store.ts'
import type { World } from './world.ts'

/** Opens what the environment names, does the work, and closes it whatever happened. */
export async function withInstallation(
  world: World,
  work: (installation: OpenInstallation) => Promise<number>,
): Promise<number> {
  const installation = await openInstallation(readEnvironment(world.environment), world)
  try {
    return await work(installation)
  } finally {
    await installation.store.close()
  }
}

/** The same where something has to be there already, and no secret is needed. */
export async function withStore(world: World, work: (store: Store) => Promise<number>): Promise<number> {
  const settings = readEnvironment(world.environment)
  requireInstallation(settings)
  const store = await openDatabase(settings, world)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
