import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildClient } from './build-client.ts'

/**
 * Makes `dist/` for the npm package: Node strips no types below `node_modules`, so what is published has to be JavaScript.
 * In the checkout nothing is built.
 */
async function build(root: string): Promise<void> {
  const out = join(root, 'dist')
  await rm(out, { recursive: true, force: true })
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  await promisify(execFile)(process.execPath, [compiler, '--project', join(root, 'tsconfig.build.json')])
  await pointThreadsAtJavaScript(out)
  await buildClient(join(out, 'client'))
}

/** The compiler rewrites the endings of imports, but not those of the files that are started as threads. */
async function pointThreadsAtJavaScript(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue
    const path = join(entry.parentPath, entry.name)
    const text = await readFile(path, 'utf8')
    const changed = text.replace(
      /new URL\((['"])([^'"]+)\.ts\1, import\.meta\.url\)/g,
      'new URL($1$2.js$1, import.meta.url)',
    )
    if (changed !== text) await writeFile(path, changed)
  }
}

await build(join(import.meta.dirname, '..'))
