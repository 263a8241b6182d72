import { createElement, type ReactNode } from 'react'
import { prerender } from 'react-dom/static'

/** For tests: what a part of the console draws at first, as HTML in English; the texts that it waits for are there. */
export async function drawn(part: ReactNode): Promise<string> {
  const { prelude } = await prerender(part)
  return (await new Response(prelude).text()).replaceAll('<!-- -->', '')
}

/** For tests: what a hook returns to a component that is drawn at first. */
export async function returned<Value>(use: () => Value): Promise<Value> {
  const seen: Value[] = []
  await drawn(
    createElement(() => {
      seen.push(use())
      return null
    }),
  )
  const last = seen.at(-1)
  if (last === undefined) throw new Error('the hook returned nothing')
  return last
}
