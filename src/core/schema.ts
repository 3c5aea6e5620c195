/** JSON Schema checks, with sentences that a person or a model can act on. */
import { type Schema, Validator } from '@cfworker/json-schema';

export interface SchemaFault {
  /** JSON pointer to the value, "" for the whole. */
  readonly pointer: string;
  readonly message: string;
}

/** Checks values against one schema. */
export type SchemaCheck = (value: unknown) => readonly SchemaFault[];

/**
 * Compiles a schema (draft 2020-12). The library interprets schemas rather than generating code, so it works where
 * `eval` is forbidden: web extensions and pages under a content security policy. It marks the schemas that it has
 * seen, so it gets a copy.
 */
export function createSchemaCheck(schema: object): SchemaCheck {
  const copy: Schema = JSON.parse(JSON.stringify(schema));
  const validator = new Validator(copy, '2020-12', false);
  return (value) => {
    const { valid, errors } = validator.validate(value);
    if (valid) return [];
    const inner = errors.filter((error) => !WRAPPERS.has(error.keyword));
    return (inner.length > 0 ? inner : errors).map((error) => ({
      pointer: error.instanceLocation.replace(/^#/, ''),
      message: sentence(error.keyword, error.error),
    }));
  };
}

/** One sentence for all faults of an input; undefined when there is none. */
export function inputSentence(faults: readonly SchemaFault[]): string | undefined {
  if (faults.length === 0) return undefined;
  const parts = faults.slice(0, 5).map(({ pointer, message }) => {
    const where = pointer === '' ? 'the input' : `"${pointer.slice(1).replaceAll('/', '.')}"`;
    return `${where} ${message}`;
  });
  const more = faults.length > 5 ? `; and ${faults.length - 5} more` : '';
  return `The input does not fit the schema: ${parts.join('; ')}${more}. Call again with the input corrected.`;
}

/** Keywords whose errors only repeat that something inside is wrong. */
const WRAPPERS = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  '$ref',
  'allOf',
  'patternProperties',
]);

/** The library's words, put so that they read on after the name of the value. */
function sentence(keyword: string, error: string): string {
  const quoted = /"([^"]*)"/.exec(error)?.[1];
  switch (keyword) {
    case 'required':
      return `lacks "${quoted ?? ''}"`;
    case 'false':
      return 'is not known here';
    case 'type': {
      const match = /type "(\w+)" is invalid\. Expected (.*)\.$/.exec(error);
      return match ? `must be of type ${match[2]?.replaceAll('"', '')}, not ${match[1]}` : lowered(error);
    }
    default:
      return lowered(error);
  }
}

function lowered(error: string): string {
  const text = error.replace(/^Instance /, '').replace(/\.$/, '');
  return `is wrong: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
