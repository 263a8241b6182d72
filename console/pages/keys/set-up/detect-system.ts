import type { SetupSystem } from '../../../../src/contract/setup.ts'

/** The kind of terminal that the reader most likely has. cmd cannot be distinguished from PowerShell, which is everywhere. */
export function detectSystem(userAgent: string): SetupSystem {
  return /Windows/i.test(userAgent) ? 'powershell' : 'posix'
}

/** The file that new terminals read: macOS starts zsh, and most Linux systems bash. */
export function startupFile(userAgent: string): string {
  return /Mac/i.test(userAgent) ? '~/.zshrc' : '~/.bashrc'
}
