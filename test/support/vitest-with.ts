/** Runs some of the test files, or all, with more to do than `npm test` gives them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { UsageError } from '../../tools/sub-commands.ts'

type Environment = Readonly<Record<string, string>>

/** See run/suite.ts. */
const LONG = { TEST_SUITE: 'long' }

/** All their cases, and more where the environment says so. Resolves with whether all of it passed. */
export async function vitestWith(files: readonly string[], environment: Environment): Promise<boolean> {
  const child = spawn('vitest', ['run', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...LONG, ...environment },
  })
  const [code] = await once(child, 'exit')
  return code === 0
}

/** The variable, where the flag was given. */
export function given(name: string, value: string | undefined): Environment {
  return value === undefined ? {} : { [name]: value }
}

/** The variable of a flag that takes a number. Throws a UsageError for anything but a whole number from 1. */
export function numbered(name: string, value: string | undefined): Environment {
  if (value !== undefined && !/^[1-9]\d{0,8}$/.test(value)) {
    throw new UsageError(`"${value}" must be a whole number from 1: it becomes ${name}`)
  }
  return given(name, value)
}
