import type { SetupSystem } from '../../../../src/contract/setup.ts'

/** The kind of terminal that the reader most likely has. cmd cannot be distinguished from PowerShell, which is everywhere. */
export function detectSystem(userAgent: string): SetupSystem {
  return /Windows/i.test(userAgent) ? 'powershell' : 'posix'
}
