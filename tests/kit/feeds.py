"""Small feeds of every kind."""

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>The Wire</title>
<item><title>Council bans cars from the city centre</title><link>https://wire.example/1</link>
<pubDate>Mon, 02 Mar 2026 12:00:00 GMT</pubDate></item>
<item><title>&lt;b&gt;Bees&lt;/b&gt; &amp;amp; flowers</title></item></channel></rss>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Old News</title></channel>
<item><title>City council bans cars from centre</title><link>https://old.example/1</link>
<dc:date>2026-03-01T12:00:00Z</dc:date></item></rdf:RDF>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Atoms</title><entry>
<title type="html">Is fusion near?</title><link rel="self" href="https://no.example/"/><link href="https://a.example/1"/>
<updated>2026-03-02T10:00:00+00:00</updated></entry></feed>"""
