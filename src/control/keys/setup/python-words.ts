import type { Shell } from './terminal-steps.ts'

/** What Python is called: macOS and Debian have no `python`, and Windows has its launcher. */
export const PYTHON: Readonly<Record<Shell, string>> = { posix: 'python3', powershell: 'py', cmd: 'py' }

/** Installs packages for the Python that the other commands run. */
export function pipInstall(packages: string): Readonly<Record<Shell, string>> {
  const line = (python: string) => `${python} -m pip install ${packages}`
  return { posix: line(PYTHON.posix), powershell: line(PYTHON.powershell), cmd: line(PYTHON.cmd) }
}
