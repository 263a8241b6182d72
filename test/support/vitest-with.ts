/** Runs some of the test files with more to do than `npm test` gives them, as their environment says. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { UsageError } from '../../tools/sub-commands.ts'

type Environment = Readonly<Record<string, string>>

/** Resolves with whether all of it passed. */
export async function vitestWith(files: readonly string[], environment: Environment): Promise<boolean> {
  const child = spawn('vitest', ['run', ...files], { stdio: 'inherit', env: { ...process.env, ...environment } })
  const [code] = await once(child, 'exit')
  return code === 0
}

/** The variable, where the flag was given. */
export function given(name: string, value: string | undefined): Environment {
  return value === undefined ? {} : { [name]: value }
}

/** The same for a flag that takes a number. Throws a UsageError for anything but a whole number from 1. */
export function numbered(name: string, value: string | undefined): Environment {
  if (value !== undefined && !/^[1-9]\d{0,8}$/.test(value)) {
    throw new UsageError(`"${value}" must be a whole number from 1: it becomes ${name}`)
  }
  return given(name, value)
}
