import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { ApiRoute } from '../../src/control/api/route.ts'
import { isSeen } from '../../src/control/api/see-as.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { mayGrant, type Role, ROLES, rightsOf } from '../../src/core/roles.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes the table into the page, to be read before it is committed. */
const WRITES = process.env['TOLLGATE_WRITE_DOCS'] === '1'
const PAGE = new URL('../../docs/roles.md', import.meta.url)
const SEEN = /(?<=<!-- seen routes -->\n).*?(?=<!-- end of seen routes -->)/s
const TABLE = /(?<=<!-- routes -->\n).*?(?=<!-- end of routes -->)/s

test('the page about roles lists every route with what each role may do there', async () => {
  const page = await readFile(PAGE, 'utf8')
  for (const part of [TABLE, SEEN]) expect(page).toMatch(part)
  const written = page.replace(TABLE, () => `\n${table()}\n\n`).replace(SEEN, () => `\n${seenRoutes()}\n\n`)
  if (WRITES) await writeFile(PAGE, written)
  else expect(page, 'docs/roles.md is stale: TOLLGATE_WRITE_DOCS=1').toBe(written)
})

test('a role gives no role that has a right it lacks', () => {
  for (const giver of ROLES) {
    for (const given of ROLES) {
      const lacked = rightsOf(given).filter((right) => !rightsOf(giver).includes(right))
      expect(mayGrant(rightsOf(giver), given), `${giver} gives ${given}`).toBe(lacked.length === 0)
    }
  }
})

test('no role below admin changes accounts, settings or what is of others', () => {
  for (const role of ROLES) expect(rightsOf(role).includes('admin'), role).toBe(role === 'admin')
})

function seenRoutes(): string {
  return ROUTES.filter(isSeen)
    .map(({ path }) => `- \`GET ${path}\``)
    .join('\n')
}

function table(): string {
  const head = `| route | ${ROLES.map((role) => `\`${role}\``).join(' | ')} |\n|---|${'---|'.repeat(ROLES.length)}`
  const guarded = ROUTES.filter(({ who }) => who !== 'anyone')
  return [head, ...guarded.map(row)].join('\n')
}

function row(route: ApiRoute): string {
  const cells = ROLES.map((role) => cell(route, role))
  return `| \`${route.method.toUpperCase()} ${route.path}\` | ${cells.join(' | ')} |`
}

function cell({ who, limits, path }: ApiRoute, role: Role): string {
  if (who === 'anyone') return 'yes'
  if (who !== 'account') return rightsOf(role).includes(who) ? 'yes' : 'no'
  const right = limits.isReadOnly ? 'staff' : 'admin'
  return isOfAsker(path) || (limits.isReadOnly && path === '/api/tokens') || !rightsOf(role).includes(right)
    ? 'own'
    : 'all'
}

/** Whether a path is about the asker, whatever the role. */
function isOfAsker(path: string): boolean {
  return /^\/api\/(?:me|auth|overview|redeem|usage\/first-steps)\b|\/message$|\/dismiss$/.test(path)
}
