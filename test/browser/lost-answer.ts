import type { Locator } from 'playwright-core'
import { eventually, press } from './reading.ts'

/**
 * Presses a button whose POST the gateway does while its answer is lost, and once more as soon as that is possible.
 * Returns the bodies of both, as they are sent.
 */
export async function pressTwice(where: Locator, button: string, address: string): Promise<readonly (string | null)[]> {
  const sent: (string | null)[] = []
  await where.page().route(address, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sent.push(route.request().postData())
    if (sent.length > 1) return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await press(where, button)
  await eventually(() => sent.length).toBe(1)
  await eventually(() => where.getByRole('button', { name: button, exact: true }).getAttribute('aria-busy')).toBe(null)
  await press(where, button)
  await eventually(() => sent.length).toBe(2)
  return sent
}
