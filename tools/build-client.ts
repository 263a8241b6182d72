import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

/** The bundled program, and the package that npm installs from a gateway. */
const FILES = { program: 'tollgate.cjs', tarball: 'client.tgz' } as const

const ROOT = join(import.meta.dirname, '..')

/**
 * Bundles the command line for people (`client/`) into one file that Node.js 20 runs, and packs it for npm. The same
 * sources give the same bytes. `folder`: emptied first.
 */
export async function buildClient(folder: string = join(ROOT, 'dist', 'client')): Promise<void> {
  const made = `${folder}-${process.pid}`
  const bundle = await rolldown({
    cwd: ROOT,
    input: join(ROOT, 'client/main.ts'),
    platform: 'node',
    external: [/^node:/],
    transform: { target: 'node20' },
    logLevel: 'warn',
  })
  try {
    const file = join(made, FILES.program)
    await bundle.write({ file, format: 'cjs', codeSplitting: false, comments: false, banner: '#!/usr/bin/env node' })
    await writeFile(join(made, FILES.tarball), await packed(await readFile(file)))
  } finally {
    await bundle.close()
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, '..'), { recursive: true })
  await rename(made, folder)
}

/** The tarball of the package, with npm's `package/` before each path. */
async function packed(program: Buffer): Promise<Buffer> {
  const [description, licence] = await Promise.all([
    readFile(join(ROOT, 'client', 'package.json')),
    readFile(join(ROOT, 'LICENSE')),
  ])
  const entries = [
    ...tarEntry('package/package.json', description, 0o644),
    ...tarEntry('package/LICENSE', licence, 0o644),
    ...tarEntry(`package/${FILES.program}`, program, 0o755),
  ]
  const zipped = gzipSync(Buffer.concat([...entries, Buffer.alloc(BLOCK * 2)]), { level: 9 })
  // The name of the system, which zlib writes there.
  zipped[9] = 0xff
  return zipped
}

const BLOCK = 512
/** 1985-10-26T08:15:00Z, the time that npm gives to all files of a package. */
const MODIFIED_SECONDS = 499_162_500

/** A file in the form of POSIX (ustar), padded to whole blocks. */
function tarEntry(path: string, content: Buffer, mode: number): Buffer[] {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(path, 0)
  header.write(octal(mode, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(content.length, 12), 124)
  header.write(octal(MODIFIED_SECONDS, 12), 136)
  // The sum is taken with spaces in its own place.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
}
