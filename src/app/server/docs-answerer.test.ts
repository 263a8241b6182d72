import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { docsAnswerer } from './docs-answerer.ts'

/** Asks for a path; returns the status and what was sent. */
async function asked(answer: ReturnType<typeof docsAnswerer>, url: string) {
  const sent = { status: 0, html: '' }
  const response = {
    writeHead: (status: number) => void (sent.status = status),
    end: (html: string) => void (sent.html = html),
  }
  await answer({ url, method: 'GET' } as IncomingMessage, response as unknown as ServerResponse)
  return sent
}

test('a page is read and made once, however often it is asked for', async () => {
  const read: string[] = []
  const answer = docsAnswerer(async (file) => `# ${read.push(file)} ${file}`)
  const [first, again, other] = [
    await asked(answer, '/docs/operating'),
    await asked(answer, '/docs/operating/?a=1'),
    await asked(answer, '/docs/errors/key_expired'),
  ]
  await asked(answer, '/docs/errors/key_expired')
  expect([first.status, again.status, other.status]).toEqual([200, 200, 200])
  expect(again.html.replaceAll('../../', '../')).toBe(first.html)
  expect(read).toEqual(['docs/operating.md', 'docs/errors/key_expired.md'])
})

test('an unknown page reads no file, and one that could not be read is read the next time', async () => {
  let reads = 0
  const answer = docsAnswerer(async () => {
    reads += 1
    if (reads === 1) throw new Error('no such file')
    return '# Metrics'
  })
  for (const path of ['/docs/nothing', '/docs/../package.json', '/docs/errors/constructor', '/docs/errors/a/b']) {
    expect((await asked(answer, path)).status, path).toBe(404)
  }
  expect(reads).toBe(0)
  await expect(asked(answer, '/docs/metrics')).rejects.toThrow('no such file')
  expect((await asked(answer, '/docs/metrics')).html).toContain('Metrics')
})
