/** `npm run build -- gateway|client|console [FOLDER]`: what `npm start` runs, the command line for people, and the console. */
import { join, resolve } from 'node:path'
import { runSubCommand, type SubCommand } from './sub-commands.ts'

export const BUILDS = {
  gateway: {
    does: 'the bundle that npm start runs, and what Node compiles of it',
    load: async () => {
      const { prepareGateway } = await import('./prepare-gateway.ts')
      return async () => {
        await prepareGateway()
        return true
      }
    },
  },
  client: {
    does: 'the command line for people and its package for npm, into dist/client',
    load: async () => {
      const { buildClient } = await import('./build-client.ts')
      return async () => {
        await buildClient()
        return true
      }
    },
  },
  console: {
    does: 'the web interface, into dist/console or another folder',
    load: async () => {
      const { buildConsole } = await import('./build-console.ts')
      return async ([folder = join(import.meta.dirname, '..', 'dist', 'console')]) => {
        await buildConsole(resolve(folder))
        return true
      }
    },
  },
} as const satisfies Readonly<Record<string, SubCommand>>

/** All of them where none is named. */
async function build(argv: readonly string[]): Promise<number> {
  if (argv.length > 0) return runSubCommand('build', BUILDS, argv)
  for (const name of Object.keys(BUILDS)) {
    const code = await runSubCommand('build', BUILDS, [name])
    if (code !== 0) return code
  }
  return 0
}

if (import.meta.main) process.exitCode = await build(process.argv.slice(2))
