import { expect, test } from 'vitest'
import { startupFile } from './detect-system.ts'

test('what is kept goes into the file that new terminals read', () => {
  expect(startupFile('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15')).toBe('~/.zshrc')
  expect(startupFile('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36')).toBe('~/.bashrc')
})
