/** The JSON Schema of scenario files: the editor's completion and the reader's check come from this one text. */

const MILLISECONDS = { type: 'number', minimum: 0 };

const ACCESSES = {
  type: 'array',
  items: {
    type: 'object',
    required: ['resource', 'mode'],
    additionalProperties: false,
    properties: {
      resource: {
        type: 'string',
        minLength: 1,
        description: 'A template over the input, say "file:{path}".',
      },
      mode: { enum: ['read', 'write'] },
    },
  },
};

export const SCENARIO_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Waves scenario',
  type: 'object',
  required: ['tools', 'calls'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    strategy: {
      enum: ['sequential', 'batches', 'first-fit', 'dataflow'],
      description: 'The rule that turns the calls into waves.',
    },
    maxConcurrency: { type: 'integer', minimum: 1, description: 'Permits: how many calls may run at once.' },
    tools: {
      type: 'object',
      description: 'Simulated tools by name: what they declare and how long a call takes.',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          description: { type: 'string' },
          safe: {
            description:
              'Whether a call may run beside others: always, never, or when its arguments have these values.',
            anyOf: [
              { type: 'boolean' },
              {
                type: 'object',
                required: ['when'],
                additionalProperties: false,
                properties: { when: { type: 'object' } },
              },
            ],
          },
          key: {
            type: 'string',
            minLength: 1,
            description: 'The resource of a safe call, a template: "file:{path}".',
          },
          accesses: ACCESSES,
          startsWhen: {
            type: 'array',
            items: { type: 'string', minLength: 1 },
            description:
              'The arguments that a call needs before it may start while the rest of its input still arrives.',
          },
          ms: { ...MILLISECONDS, description: 'Duration of a call in milliseconds (default 100).' },
        },
      },
    },
    calls: {
      type: 'array',
      description: "The batch, in the model's order.",
      items: {
        type: 'object',
        required: ['tool'],
        additionalProperties: false,
        properties: {
          tool: { type: 'string', minLength: 1 },
          input: { type: 'object' },
          ms: { ...MILLISECONDS, description: "Duration of this call, in place of its tool's." },
          outcome: { enum: ['ok', 'soft', 'hard'] },
          touches: { ...ACCESSES, description: 'What the call really touches, whatever its tool declares.' },
          arrivesMs: {
            ...MILLISECONDS,
            description:
              'When the call has been streamed, since the message began. Calls without it arrive with the one before.',
          },
        },
      },
    },
  },
};
