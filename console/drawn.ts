import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'

/** For tests: what a part of the console draws at first, as HTML in English; the texts that it waits for are there. */
export async function drawn(part: ReactNode): Promise<string> {
  const { prelude } = await prerender(part)
  return (await new Response(prelude).text()).replaceAll('<!-- -->', '')
}
