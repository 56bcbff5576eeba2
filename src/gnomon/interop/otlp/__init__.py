"""OpenTelemetry's protocol (OTLP), read and written: bytes in, values out. No HTTP, no database.

wire.py       protobuf's wire format, as far as it is needed to find the spans of a request
decoding.py   a request's spans and log records; bad ones are refused one by one
envelopes.py  what surrounds them: resources, scopes and their schemas, in protobuf or JSON
records.py    what a decoded request is made of
jsonspans.py  OTLP/JSON's spans and log records as protobuf
values.py     attribute values as Python values and as JSON, and metadata as attributes
answers.py    what a receiver answers
details.py    a stored span as it is shown
encoding.py   stored spans as a request, for sending them on
"""
