import type { Script } from '../../support/scripted-upstream.ts'

/**
 * Puts into answers what callers must not see, or must not be made to do: the credential that it was called with stands in
 * each field of its errors, and answers that are whole claim to be a page.
 */
export const hostile: Script = (request, response) => {
  const credential = (request.headers.authorization ?? '').replace('Bearer ', '')
  request.resume().once('end', () => {
    if (request.url?.includes('/embeddings') === true) {
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=theirs', 'x-powered-by': 'them' })
      const usage = { prompt_tokens: 2, total_tokens: 2 }
      response.end(JSON.stringify({ object: 'list', data: [], model: '<script>alert(1)</script>', usage }))
      return
    }
    const error = { message: `Key ${credential} is wrong`, type: credential, code: credential, param: credential }
    response.writeHead(400, { 'content-type': 'application/json', 'x-debug': credential })
    response.end(JSON.stringify({ error }))
  })
}
