import type { z } from '@hono/zod-openapi'
import type { upstreamProbeAsked } from '../../contract/upstream-probe.ts'
import { objectionToKind } from '../../core/credential-kind.ts'
import { isSecretFile } from '../../core/credential-secret.ts'
import { mustBe } from '../../core/must-be.ts'
import {
  BASE_URL_FORM,
  CREDENTIAL_FORM,
  isCredential,
  objectionToDialect,
  PROXY_URL_FORM,
  readBaseUrl,
  readProxyUrl,
} from '../../routing/upstream-settings.ts'
import type { ProbedCloud, ProbeQuestion } from '../parts.ts'
import { fieldProblem } from '../problem.ts'

type ProbeBody = z.output<typeof upstreamProbeAsked>

/** What is asked of an address, from a request. Throws Problem `field_invalid`. */
export function readProbeQuestion(body: ProbeBody): ProbeQuestion {
  const { credential, protocol, proxy_url: proxy, kind, settings } = body
  const baseUrl = readBaseUrl(body.base_url.trim())
  if (baseUrl === null) throw fieldProblem('base_url', `base_url ${mustBe(BASE_URL_FORM)}.`)
  requireCredential(body)
  const proxyUrl = proxy === null ? null : readProxyUrl(proxy.trim())
  if (proxy !== null && proxyUrl === null) throw fieldProblem('proxy_url', `proxy_url ${mustBe(PROXY_URL_FORM)}.`)
  const cloud = cloudOf(body)
  return {
    baseUrl,
    credential,
    protocol,
    proxyUrl,
    headers: {},
    ...(cloud === null ? {} : { cloud }),
    ...(kind === 'static' ? {} : { minted: { kind, settings } }),
  }
}

/** A static credential may be none, of servers that want none. */
function requireCredential({ kind, settings, credential }: ProbeBody): void {
  const isFit = kind === 'static' ? isCredential : isSecretFile
  if (credential !== null && !isFit(credential)) {
    throw fieldProblem('credential', `credential ${mustBe(CREDENTIAL_FORM)}.`)
  }
  if (kind === 'static' && Object.keys(settings).length === 0) return
  const objection = objectionToKind({ kind, settings, hasSecret: credential !== null, secret: credential })
  if (objection === null) return
  const field = objection.setting === null ? 'credential' : `settings.${objection.setting}`
  throw fieldProblem(field, `${field} ${mustBe(objection.takes)}.`)
}

function cloudOf({ protocol, dialect, region, api_version: apiVersion }: ProbeBody): ProbedCloud | null {
  if (dialect !== null && protocol === null) {
    throw fieldProblem('protocol', 'protocol is missing: an address of a cloud is asked in the one that is named.')
  }
  const passage = {
    ...(dialect === null ? {} : { dialect }),
    ...(region === null ? {} : { region }),
    ...(apiVersion === null ? {} : { apiVersion }),
  }
  const objection = protocol === null ? null : objectionToDialect({ protocol, passage })
  if (objection !== null) throw fieldProblem(objection.field, `${objection.field} ${mustBe(objection.takes)}.`)
  return dialect === null ? null : { dialect, region, apiVersion }
}
