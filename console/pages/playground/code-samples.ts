import type { Call } from './question.ts'

export const SAMPLES = ['curl', 'Python', 'TypeScript'] as const

/** The request as a program would send it. The key is a variable: no secret is in it. */
export function codeSample(kind: (typeof SAMPLES)[number], call: Call, origin: string): string {
  const url = origin + call.path
  const body = JSON.stringify(call.body, null, 2)
  const more = Object.entries(call.headers)
  if (kind === 'curl') {
    return [
      `curl -N ${shellQuoted(url)} \\`,
      '  -H "Authorization: Bearer $TOLLGATE_API_KEY" \\',
      ...[['content-type', 'application/json'], ...more].map(([name, value]) => `  -H '${name}: ${value}' \\`),
      `  -d ${shellQuoted(body)}`,
    ].join('\n')
  }
  if (kind === 'Python') {
    const headers = more.map(([name, value]) => `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join('')
    // JSON inside a string: its literals are not those of Python.
    return [
      'import json, os, urllib.request',
      '',
      `body = json.loads(r${pythonQuoted(body)})`,
      'request = urllib.request.Request(',
      `    ${JSON.stringify(url)},`,
      '    data=json.dumps(body).encode(),',
      `    headers={"authorization": "Bearer " + os.environ["TOLLGATE_API_KEY"], "content-type": "application/json"${headers}},`,
      ')',
      'with urllib.request.urlopen(request) as response:',
      '    for line in response:',
      '        print(line.decode(), end="")',
    ].join('\n')
  }
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    '    authorization: `Bearer ${process.env.TOLLGATE_API_KEY}`,',
    "    'content-type': 'application/json',",
    ...more.map(([name, value]) => `    '${name}': '${value}',`),
    '  },',
    `  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),`,
    '})',
    'for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) process.stdout.write(chunk)',
  ].join('\n')
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** JSON as a raw string of Python: JSON writes a quotation mark in a text with a backslash, and three in a row never stand in it. */
function pythonQuoted(json: string): string {
  return `'''${json.replaceAll("'", '\\u0027')}'''`
}
